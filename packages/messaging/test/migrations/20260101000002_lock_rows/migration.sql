CREATE TABLE lock (name text PRIMARY KEY);
