-- One chain's index. The schema is the deployment's (btc, ltc, ...): nothing here names one.
-- Hashes are in display order, amounts in satoshis. tx_id counts the transactions of the indexed chain from 0, in chain order.
-- Written by apps/btc-connect/src/index alone, in transactions that the lease "indexer" fences.

-- How far the index is, and how it goes.
CREATE TABLE index_state (
  "only" boolean PRIMARY KEY DEFAULT true CHECK ("only"),
  genesis_hash bytea NOT NULL,
  -- 16 random bytes that key script_key: whoever does not know them cannot make two scripts share one.
  secret bytea NOT NULL,
  start_height integer NOT NULL DEFAULT 0,
  -- SHA-256 of the tracked addresses; null: every address is.
  tracked bytea,
  phase text NOT NULL CHECK (phase IN ('load', 'merge', 'tip')),
  merge_step integer NOT NULL DEFAULT 0,
  condition text NOT NULL DEFAULT 'starting' CHECK (condition IN
    ('starting', 'syncing', 'finished', 'node-unreachable', 'wrong-network', 'node-pruned', 'bad-block', 'deep-reorg')),
  condition_detail text,
  node_height integer NOT NULL DEFAULT 0,
  node_hash bytea,
  blocks_per_second real,
  updated_at timestamptz NOT NULL,
  mempool_seq bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);

CREATE TABLE lease (
  name text PRIMARY KEY,
  epoch bigint NOT NULL,
  holder text NOT NULL,
  session text NOT NULL,
  held_until timestamptz NOT NULL
);

-- The bulk load: the heights that are staged, each committed with its rows, and the steps of the merge that are done.
CREATE TABLE load_range (
  first_height integer PRIMARY KEY,
  last_height integer NOT NULL,
  first_tx_id bigint NOT NULL,
  last_tx_id bigint NOT NULL,
  loaded_at timestamptz NOT NULL
);
CREATE TABLE load_step (
  step integer PRIMARY KEY,
  done_at timestamptz NOT NULL
);

CREATE TABLE block (
  height integer PRIMARY KEY,
  hash bytea NOT NULL UNIQUE,
  header bytea NOT NULL,
  time integer NOT NULL,
  size integer NOT NULL,
  tx_count integer NOT NULL,
  first_tx_id bigint NOT NULL,
  -- Of all blocks up to this one: 32 bytes, big-endian.
  chainwork bytea NOT NULL,
  -- The coinbase's input script, and the output script of its largest output: they tell the pool.
  coinbase bytea NOT NULL,
  payout_script bytea NOT NULL
);
CREATE INDEX block_time ON block (time, height);
CREATE INDEX block_first_tx ON block (first_tx_id);

-- Blocks that were ours once; the newest 10,000.
CREATE TABLE stale_block (
  hash bytea PRIMARY KEY,
  height integer NOT NULL,
  header bytea NOT NULL,
  size integer NOT NULL,
  txids bytea[] NOT NULL,
  chainwork bytea NOT NULL,
  coinbase bytea NOT NULL,
  payout_script bytea NOT NULL,
  staled_at timestamptz NOT NULL
);
CREATE INDEX stale_block_age ON stale_block (staled_at);

CREATE TABLE tx (
  tx_id bigint NOT NULL,
  txid bytea NOT NULL,
  height integer NOT NULL,
  CONSTRAINT tx_pkey PRIMARY KEY (tx_id)
);
-- Not unique: BIP 30.
CREATE INDEX tx_txid ON tx USING hash (txid);

-- Only with STORE_RAW; the node has them too.
CREATE TABLE tx_raw (
  tx_id bigint NOT NULL,
  raw bytea NOT NULL,
  CONSTRAINT tx_raw_pkey PRIMARY KEY (tx_id)
);

-- Every output that can be, or could have been, spent.
CREATE TABLE txo (
  tx_id bigint NOT NULL,
  value bigint NOT NULL,
  spent_tx_id bigint,
  vout integer NOT NULL,
  spent_vin integer,
  -- The first 16 bytes of SHA-256(secret, script of the owner).
  script_key uuid NOT NULL,
  CONSTRAINT txo_pkey PRIMARY KEY (tx_id, vout)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX txo_unspent ON txo (script_key, tx_id) WHERE spent_tx_id IS NULL;

-- The scripts of those outputs that do not look like their owner's address: pay to a bare public key.
CREATE TABLE own_script (
  tx_id bigint NOT NULL,
  vout integer NOT NULL,
  script bytea NOT NULL,
  CONSTRAINT own_script_pkey PRIMARY KEY (tx_id, vout)
);

-- What an address has received, sent and done: one row, however long its history.
CREATE TABLE script (
  script_key uuid NOT NULL,
  script bytea NOT NULL,
  received numeric NOT NULL,
  sent numeric NOT NULL,
  tx_count integer NOT NULL,
  utxo_count integer NOT NULL,
  CONSTRAINT script_pkey PRIMARY KEY (script_key)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

-- Its history. pos counts from 0, oldest first, without a gap: any page of it is a range.
CREATE TABLE script_tx (
  script_key uuid NOT NULL,
  pos integer NOT NULL,
  tx_id bigint NOT NULL,
  CONSTRAINT script_tx_pkey PRIMARY KEY (script_key, pos)
);

-- The outputs that a block spent, to take it back; the newest 300.
CREATE TABLE block_undo (
  height integer PRIMARY KEY,
  spent_tx_ids bigint[] NOT NULL,
  spent_vouts integer[] NOT NULL
);

CREATE TABLE mempool_tx (
  txid bytea PRIMARY KEY,
  raw bytea NOT NULL,
  first_seen timestamptz NOT NULL,
  -- The order in which they came.
  seq bigint NOT NULL UNIQUE
);
CREATE TABLE mempool_output (
  txid bytea NOT NULL REFERENCES mempool_tx ON DELETE CASCADE,
  vout integer NOT NULL,
  value bigint NOT NULL,
  script_key uuid NOT NULL,
  PRIMARY KEY (txid, vout)
);
CREATE INDEX mempool_output_script ON mempool_output (script_key);
CREATE TABLE mempool_spend (
  prev_txid bytea NOT NULL,
  prev_vout integer NOT NULL,
  txid bytea NOT NULL REFERENCES mempool_tx ON DELETE CASCADE,
  vin integer NOT NULL,
  -- Of the output that is spent; unknown when it is older than the index.
  value bigint,
  script_key uuid,
  PRIMARY KEY (prev_txid, prev_vout)
);
CREATE INDEX mempool_spend_script ON mempool_spend (script_key);
CREATE INDEX mempool_spend_tx ON mempool_spend (txid);
