// KeyedArchives
