-- Why no node of a chain could be read at last, for the note of a validator whose status is unknown.
CREATE TABLE chain_problem (
  chain text PRIMARY KEY,
  reason text
);

-- The validator that a consolidation gave the stake to.
ALTER TABLE validator ADD COLUMN consolidated_into integer;

-- Blocks of a fork that this release does not know: what they paid out or took in is booked as unexplained until a release can read them.
CREATE TABLE unread_block (
  chain text NOT NULL,
  slot integer NOT NULL,
  root bytea NOT NULL CHECK (octet_length(root) = 32),
  epoch integer NOT NULL,
  PRIMARY KEY (chain, slot)
);
