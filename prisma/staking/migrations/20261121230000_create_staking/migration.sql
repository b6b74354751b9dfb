-- A validator: who it belongs to and who is paid, which never changes; what is wanted of it; and what was seen of it.
CREATE TABLE validator (
  -- What ledgers go by.
  serial serial PRIMARY KEY,
  chain text NOT NULL,
  pubkey bytea NOT NULL CHECK (length(pubkey) = 48),
  user_id text NOT NULL,
  region text NOT NULL,
  withdrawal_credentials bytea NOT NULL CHECK (length(withdrawal_credentials) = 32),
  -- The signed deposit, as call data.
  deposit_data bytea NOT NULL CHECK (length(deposit_data) = 420),
  created_at timestamptz(3) NOT NULL,
  -- The caller's Idempotency-Key, and what was asked with it.
  request_key text,
  request_hash bytea,

  -- What is wanted.
  fee_address bytea NOT NULL CHECK (length(fee_address) = 20),
  exit_requested_at timestamptz(3),
  -- Taken out of its owner's list.
  removed_at timestamptz(3),

  -- What its region's validator client has, as it said last.
  imported_at timestamptz(3),
  ready_at timestamptz(3),
  signer_fee_address bytea,
  signer_checked_at timestamptz(3),
  -- The client has given the key back: nobody signs with it any more.
  released_at timestamptz(3),
  signer_problem text,

  -- What the chain has, as it was seen last.
  chain_index integer,
  beacon_status text,
  balance_gwei bigint NOT NULL DEFAULT 0,
  effective_balance_gwei bigint NOT NULL DEFAULT 0,
  activation_epoch bigint,
  exit_epoch bigint,
  withdrawable_epoch bigint,
  slashed boolean NOT NULL DEFAULT false,
  observed_at timestamptz(3),
  deposited_at timestamptz(3),
  activated_at timestamptz(3),
  exiting_at timestamptz(3),
  exited_at timestamptz(3),
  withdrawn_at timestamptz(3),
  -- A deposit was seen that pays others: the key is bound to them, and must never be used.
  spoiled_at timestamptz(3),
  CHECK ((request_key IS NULL) = (request_hash IS NULL))
);
CREATE UNIQUE INDEX validator_pubkey_key ON validator (pubkey);
CREATE UNIQUE INDEX validator_request ON validator (user_id, request_key) WHERE request_key IS NOT NULL;
CREATE INDEX validator_owner ON validator (user_id, chain, serial);
CREATE INDEX validator_chain ON validator (chain, serial);

-- A key signed for other credentials, or forgotten and made again, could cost 32 ETH: what binds it is written once.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a % is never changed or deleted', TG_TABLE_NAME;
END
$$;
CREATE TRIGGER validator_bound BEFORE UPDATE OF serial, chain, pubkey, user_id, region, withdrawal_credentials, deposit_data, created_at ON validator
  FOR EACH ROW WHEN (
    (OLD.serial, OLD.chain, OLD.pubkey, OLD.user_id, OLD.region, OLD.withdrawal_credentials, OLD.deposit_data, OLD.created_at)
    IS DISTINCT FROM (NEW.serial, NEW.chain, NEW.pubkey, NEW.user_id, NEW.region, NEW.withdrawal_credentials, NEW.deposit_data, NEW.created_at)
  ) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER validator_kept BEFORE DELETE ON validator FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- The key itself: a keystore (EIP-2335) under a password that only KEY_ENCRYPTION_KEY opens.
CREATE TABLE validator_key (
  pubkey bytea PRIMARY KEY REFERENCES validator (pubkey),
  keystore text NOT NULL,
  sealed_password bytea NOT NULL
);
CREATE TRIGGER validator_key_kept BEFORE UPDATE OR DELETE ON validator_key FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- What a key had signed when a validator client gave it back (EIP-3076): the next client must know it.
CREATE TABLE signing_history (
  serial serial PRIMARY KEY,
  pubkey bytea NOT NULL REFERENCES validator (pubkey),
  region text NOT NULL,
  taken_at timestamptz(3) NOT NULL,
  interchange text NOT NULL
);
CREATE INDEX signing_history_pubkey ON signing_history (pubkey);
CREATE TRIGGER signing_history_kept BEFORE UPDATE OR DELETE ON signing_history FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A signed exit, from before it is first sent. It is good for ever (EIP-7044).
CREATE TABLE signed_exit (
  pubkey bytea PRIMARY KEY REFERENCES validator (pubkey),
  epoch bigint NOT NULL,
  validator_index bigint NOT NULL,
  signature bytea NOT NULL CHECK (length(signature) = 96),
  signed_at timestamptz(3) NOT NULL,
  sent_at timestamptz(3)
);

CREATE TABLE lease (
  name text PRIMARY KEY,
  epoch bigint NOT NULL,
  holder text NOT NULL,
  session text NOT NULL,
  held_until timestamptz NOT NULL
);

-- What packages/messaging keeps: the facts to be told, and those that were heard.
CREATE TABLE outbox (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  subject text NOT NULL,
  payload jsonb NOT NULL,
  headers jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  published_at timestamptz,
  -- Which incarnation of the stream holds it.
  stream_id text
);
CREATE INDEX outbox_unpublished ON outbox (seq) WHERE published_at IS NULL;
CREATE INDEX outbox_published ON outbox (published_at);

CREATE TABLE inbox (
  consumer text NOT NULL,
  message_id text NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, message_id)
);
CREATE INDEX inbox_received ON inbox (received_at);
