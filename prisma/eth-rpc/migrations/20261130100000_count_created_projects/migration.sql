-- How many projects an owner has created on the last day on which one was: a deleted project leaves its usage, for ever.
CREATE TABLE project_creation (
  owner_id text PRIMARY KEY,
  day date NOT NULL,
  created integer NOT NULL
);
