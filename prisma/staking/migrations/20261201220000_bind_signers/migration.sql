-- The signer that a region is bound to. One row for each region, written by the worker.
CREATE TABLE region_signer (
  chain text NOT NULL,
  region text NOT NULL,
  -- Null until its signer answered for the first time.
  identity text,
  bound_at timestamptz(3),
  -- Who accepted it; null if it was the first.
  accepted_by text,
  -- What answered last, where it is not the signer that the region is bound to: its identity, and why.
  other_identity text,
  other_reason text CHECK (other_reason IN ('identity', 'keys')),
  other_since timestamptz(3),
  -- Why it does not answer, and since when.
  away_reason text,
  away_since timestamptz(3),
  keys integer NOT NULL DEFAULT 0,
  -- Those of them that no validator here has.
  unknown_keys integer NOT NULL DEFAULT 0,
  -- The last pass. What happened before a long gap is not known: the database may be a restored backup.
  watched_at timestamptz(3) NOT NULL,
  watched_since timestamptz(3) NOT NULL,
  PRIMARY KEY (chain, region),
  CHECK ((other_identity IS NULL) = (other_reason IS NULL) AND (other_identity IS NULL) = (other_since IS NULL)),
  CHECK ((away_reason IS NULL) = (away_since IS NULL))
);

ALTER TABLE validator
  -- The identity of the signer that its key was last sent to.
  ADD COLUMN signer_identity text,
  -- When its signer first listed the key; null again once the key was deleted from it.
  ADD COLUMN listed_at timestamptz(3),
  -- Since when its signer no longer lists the key.
  ADD COLUMN lost_at timestamptz(3),
  -- While it is lost: the last epochs without a gap in which the chain saw nothing signed with it.
  ADD COLUMN silent_from bigint,
  ADD COLUMN silent_to bigint,
  -- An administrator allowed the next import, having made sure that no other signer has the key.
  ADD COLUMN recovery_allowed_at timestamptz(3),
  ADD COLUMN recovery_allowed_by text,
  ADD CHECK ((silent_from IS NULL) = (silent_to IS NULL) AND silent_from <= silent_to);

-- Some signer may hold each of these.
UPDATE validator SET listed_at = imported_at WHERE imported_at IS NOT NULL AND released_at IS NULL;

CREATE INDEX validator_lost ON validator (chain, serial) WHERE lost_at IS NOT NULL;
