/* running.c - see formats/running.h. */
#include "formats/running.h"

#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/files.h"
#include "formats/schema.h"

#define SPARE_BYTES ((size_t)1 << 30) /* by which the file may grow until it is mapped */

enum status running_copy(const char *trace_dir, int fd, struct error *err)
{
    MDB_env *env = NULL;
    char path[4096];
    struct stat st;
    int n = snprintf(path, sizeof path, "%s/" TRACE_DATA_FILE, trace_dir);
    if (n < 0 || (size_t)n >= sizeof path)
        return error_set(err, ERR_LIMIT, "%s: the path is too long", trace_dir);
    if (stat(path, &st) != 0)
        return error_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    if (!file_touch(trace_dir, TRACE_LOCK_FILE, 0,
                    TRACE_LOCK_BYTES)) /* LMDB would follow a link of that name, and write */
        return error_set(err, ERR_IO, "%s/%s: %s", trace_dir, TRACE_LOCK_FILE, strerror(errno));
    int rc = mdb_env_create(&env);
    if (rc == MDB_SUCCESS)
        rc = mdb_env_set_mapsize(env, 2 * (size_t)st.st_size + SPARE_BYTES);
    if (rc == MDB_SUCCESS) /* mode 0: no file is created */
        rc = mdb_env_open(env, trace_dir, MDB_RDONLY | MDB_NOTLS, 0);
    if (rc == MDB_SUCCESS)
        rc = mdb_env_copyfd(env, fd);
    if (env != NULL)
        mdb_env_close(env);
    return rc == MDB_SUCCESS ? OK : error_set(err, ERR_IO, "%s: a copy cannot be made: %s", path, mdb_strerror(rc));
}
