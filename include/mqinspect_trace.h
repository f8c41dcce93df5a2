/* Tells the recorder (mqinspect record) of data that MPI never sees.
 *
 *     MQI_TRACE_DATA("residual", &residual, sizeof residual);    note its checksum here
 *     MQI_TRACE_WATCH("table", table, sizeof table);             note each change from here on
 *     MQI_TRACE_UNWATCH(table);
 *
 * Watched data are looked at when the process calls MPI, so a change is noted at the first MPI
 * call behind it. Without the recorder these do nothing; nothing need be linked. At most 64
 * pieces are watched at a time; they must stay readable until MQI_TRACE_UNWATCH. */
#ifndef MQINSPECT_TRACE_H
#define MQINSPECT_TRACE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void mqi_trace_data(const char* name, const void* data, size_t bytes) __attribute__((weak));
void mqi_trace_watch(const char* name, const void* data, size_t bytes) __attribute__((weak));
void mqi_trace_unwatch(const void* data) __attribute__((weak));

#ifdef __cplusplus
}
#endif

#define MQI_TRACE_DATA(name, data, bytes) \
    (mqi_trace_data ? mqi_trace_data(name, data, bytes) : (void)0)
#define MQI_TRACE_WATCH(name, data, bytes) \
    (mqi_trace_watch ? mqi_trace_watch(name, data, bytes) : (void)0)
#define MQI_TRACE_UNWATCH(data) (mqi_trace_unwatch ? mqi_trace_unwatch(data) : (void)0)

#endif
