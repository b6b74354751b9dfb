-- What transactions that must not run side by side lock (packages/database): a row, since any role of the database can hold an advisory lock.
CREATE TABLE lock (
  name text PRIMARY KEY
);
