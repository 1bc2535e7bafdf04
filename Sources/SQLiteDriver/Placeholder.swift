// SQLiteDriver
