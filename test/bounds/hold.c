/* hold TRACE: a program that reads the trace, stopped in the middle: one read transaction from when it says so until it
 * is killed. */
#include <lmdb.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MDB_env *env;
    MDB_txn *txn;
    if (argc != 2 || mdb_env_create(&env) != 0 || mdb_env_set_mapsize(env, (size_t)1 << 34) != 0 ||
        mdb_env_open(env, argv[1], MDB_RDONLY, 0) != 0 || mdb_txn_begin(env, NULL, MDB_RDONLY, &txn) != 0)
        return 1;
    puts("reads");
    fflush(stdout);
    pause();
    return 0;
}
