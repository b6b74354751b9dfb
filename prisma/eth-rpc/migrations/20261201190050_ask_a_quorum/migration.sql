-- How many of how many nodes must give the same answer to calls of a project; null: the answer of one is enough.
ALTER TABLE project
  ADD COLUMN quorum_nodes int,
  ADD COLUMN quorum_agreeing int,
  ADD COLUMN quorum_methods text[] NOT NULL DEFAULT '{}',
  ADD COLUMN quorum_by_header boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT project_quorum CHECK (
    num_nulls(quorum_nodes, quorum_agreeing) IN (0, 2) AND quorum_agreeing <= quorum_nodes AND 2 * quorum_agreeing > quorum_nodes
  );
