-- Answers about final blocks, for all processes of the deployment. A cache: nothing refers to it, and TRUNCATE stored_answer empties it.
-- A ring of segments, of which the oldest is truncated when the newest is full: no row is deleted one by one, and no space is left behind.
CREATE TABLE stored_answer (
  -- A keyed hash of the chain, the method and the params.
  key bytea NOT NULL,
  segment smallint NOT NULL,
  asked_at timestamptz NOT NULL,
  is_error boolean NOT NULL,
  -- Who gave it; null where several agreed.
  upstreams text[],
  -- JSON, byte for byte.
  answer text NOT NULL,
  mac bytea NOT NULL,
  PRIMARY KEY (key, segment)
) PARTITION BY LIST (segment);
-- Without a write-ahead log: half the cost, and in no base backup. A crash of Postgres empties them.
CREATE UNLOGGED TABLE stored_answer_0 PARTITION OF stored_answer FOR VALUES IN (0);
CREATE UNLOGGED TABLE stored_answer_1 PARTITION OF stored_answer FOR VALUES IN (1);
CREATE UNLOGGED TABLE stored_answer_2 PARTITION OF stored_answer FOR VALUES IN (2);
CREATE UNLOGGED TABLE stored_answer_3 PARTITION OF stored_answer FOR VALUES IN (3);

-- The segment that is written. One row, which is locked to move on.
CREATE TABLE stored_answer_ring (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  segment smallint NOT NULL,
  began_at timestamptz NOT NULL
);
INSERT INTO stored_answer_ring (segment, began_at) VALUES (0, now());

-- The chains whose answers are stored, each up to a final block whose hash shows whether it is still the same chain.
CREATE TABLE stored_chain (
  id uuid PRIMARY KEY,
  version integer NOT NULL,
  chain_id bigint NOT NULL,
  genesis text NOT NULL,
  anchor_number bigint NOT NULL,
  anchor_hash text NOT NULL,
  CONSTRAINT stored_chain_genesis UNIQUE (version, chain_id, genesis)
);

-- Upstreams that were found to lie: what they answered before is not served.
CREATE TABLE distrusted_upstream (
  name text PRIMARY KEY,
  distrusted_at timestamptz NOT NULL
);
