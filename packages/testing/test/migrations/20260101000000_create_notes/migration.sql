CREATE TABLE note (id integer PRIMARY KEY);
