-- What the processes of the cluster test add, and what their consumers bring about.
CREATE TABLE line (n integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key text NOT NULL);
CREATE TABLE line_effect (n integer NOT NULL, key text NOT NULL, position bigint GENERATED ALWAYS AS IDENTITY);
