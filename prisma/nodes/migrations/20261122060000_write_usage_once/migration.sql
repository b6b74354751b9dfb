-- The last write of usage of each process: one that is repeated, as its answer was lost, changes nothing.
CREATE TABLE usage_writer (
  process uuid PRIMARY KEY,
  seq bigint NOT NULL,
  written_at timestamptz(3) NOT NULL
);
