// Peer STORE SQL COUNT    steps through all rows of a query and reads every column; with a parameter in it, COUNT times,
//                         the parameter going through 1...COUNT in no order.
//
// Prints the seconds, the peak memory of the process in MB, the number of rows and the sum of the first column.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
  sqlite3 *database;
  sqlite3_stmt *select;
  if (count != 4 || sqlite3_open_v2(arguments[1], &database, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) return 2;
  double start = now();
  if (sqlite3_prepare_v2(database, arguments[2], -1, &select, NULL) != SQLITE_OK) {
    fprintf(stderr, "%s\n", sqlite3_errmsg(database));
    return 2;
  }
  long times = atol(arguments[3]);
  int hasParameter = sqlite3_bind_parameter_count(select) > 0;
  long long rows = 0, bytes = 0;
  double sum = 0, reals = 0;
  for (long index = 0; index < (hasParameter ? times : 1); index++) {
    if (hasParameter) sqlite3_bind_int64(select, 1, index * 7919 % times + 1);
    while (sqlite3_step(select) == SQLITE_ROW) {
      rows++;
      sum += sqlite3_column_double(select, 0);
      for (int column = 0; column < sqlite3_column_count(select); column++) {
        switch (sqlite3_column_type(select, column)) {
          case SQLITE_INTEGER: bytes += sqlite3_column_int64(select, column) & 1; break;
          case SQLITE_FLOAT: reals += sqlite3_column_double(select, column); break;
          case SQLITE_TEXT: sqlite3_column_text(select, column);  // and then, as for a blob:
          case SQLITE_BLOB: bytes += sqlite3_column_bytes(select, column); break;
        }
      }
    }
    sqlite3_reset(select);
  }
  double seconds = now() - start;
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%.4f %.1f %lld %.0f\n", seconds, usage.ru_maxrss / 1024.0, rows, sum);
  // What is never used might never be read.
  return bytes + reals == -1;
}
