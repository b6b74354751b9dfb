-- What validators have earned: a ledger by final epochs, and what each UTC day came to. Gwei, but for the fees of blocks (wei).
-- Arrays stand for 1,000 validators: that of the serial s is element s % 1000 + 1 of piece s / 1000.

-- How far the ledger of a chain is.
CREATE TABLE reward_cursor (
  chain text PRIMARY KEY,
  next_epoch integer NOT NULL CHECK (next_epoch >= 0),
  -- The UTC day that epoch begins in: those before are sealed.
  open_day date NOT NULL,
  epoch_ms integer NOT NULL CHECK (epoch_ms > 0),
  -- What 32 ETH earn with attestations that are all right and in time, in the last epoch a node has told it of.
  ideal_reward_gwei bigint
);

-- The ledger: a row for each final epoch and piece. An array is NULL where all of it is 0.
CREATE TABLE epoch_chunk (
  chain text NOT NULL,
  epoch integer NOT NULL,
  piece integer NOT NULL,
  day date NOT NULL,
  withdrawals_gwei bigint[],
  deposits_gwei bigint[],
  rewards_gwei bigint[],
  penalties_gwei bigint[],
  -- What no endpoint explains.
  rounding_gwei bigint[],
  -- 1 where no node told what the difference is made of: a gain is a reward, a loss a penalty.
  unbroken_epochs bigint[],
  PRIMARY KEY (chain, epoch, piece)
);
CREATE INDEX epoch_chunk_day ON epoch_chunk (chain, day);

-- The sums of the ledger since the open day began, and what the next epoch begins with.
CREATE TABLE day_so_far (
  chain text NOT NULL,
  piece integer NOT NULL,
  -- The chain's number of the validator; -1 where it has none yet.
  chain_index bigint[] NOT NULL,
  opening_gwei bigint[] NOT NULL,
  closing_gwei bigint[] NOT NULL,
  effective_eth bigint[] NOT NULL,
  slashed bigint[] NOT NULL,
  withdrawals_gwei bigint[] NOT NULL,
  deposits_gwei bigint[] NOT NULL,
  rewards_gwei bigint[] NOT NULL,
  penalties_gwei bigint[] NOT NULL,
  rounding_gwei bigint[] NOT NULL,
  unbroken_epochs bigint[] NOT NULL,
  active_epochs bigint[] NOT NULL,
  -- Effective balance, summed over the epochs it was active in.
  stake_eth_epochs bigint[] NOT NULL,
  PRIMARY KEY (chain, piece)
);

-- What a block of a validator of ours paid to it. `unverified`: nothing that can be shown went to its fee address.
CREATE TABLE execution_reward (
  chain text NOT NULL,
  slot integer NOT NULL,
  serial integer NOT NULL REFERENCES validator,
  epoch integer NOT NULL,
  day date NOT NULL,
  block_hash bytea NOT NULL,
  fee_recipient bytea NOT NULL,
  state text NOT NULL CHECK (state IN ('fees', 'payment', 'unverified')),
  amount_wei numeric(30, 0) NOT NULL CHECK (amount_wei >= 0),
  PRIMARY KEY (chain, slot)
);
CREATE INDEX execution_reward_day ON execution_reward (day, serial);

-- A day of a validator, written when its last epoch is final; days before it was on the chain and after it was paid out have none.
CREATE TABLE validator_day (
  serial integer NOT NULL REFERENCES validator,
  day date NOT NULL,
  opening_gwei bigint NOT NULL,
  closing_gwei bigint NOT NULL,
  effective_eth integer NOT NULL,
  slashed boolean NOT NULL,
  withdrawals_gwei bigint NOT NULL,
  deposits_gwei bigint NOT NULL,
  rewards_gwei bigint NOT NULL CHECK (rewards_gwei >= 0),
  penalties_gwei bigint NOT NULL CHECK (penalties_gwei >= 0),
  rounding_gwei bigint NOT NULL,
  unbroken_epochs integer NOT NULL,
  active_epochs integer NOT NULL,
  stake_eth_epochs bigint NOT NULL,
  execution_rewards_wei numeric(30, 0) NOT NULL,
  -- With all that a report adds up: the days of a validator stand on a page or two of the index, and on one page each of the table.
  PRIMARY KEY (serial, day) INCLUDE (closing_gwei, effective_eth, slashed, rewards_gwei, penalties_gwei, rounding_gwei, active_epochs,
    stake_eth_epochs, execution_rewards_wei),
  CONSTRAINT identity CHECK (closing_gwei = opening_gwei - withdrawals_gwei + deposits_gwei + rewards_gwei - penalties_gwei + rounding_gwei)
);

-- Of all validators here, for the chain's figures.
CREATE TABLE chain_day (
  chain text NOT NULL,
  day date NOT NULL,
  stake_eth_epochs bigint NOT NULL,
  execution_rewards_wei numeric(30, 0) NOT NULL,
  PRIMARY KEY (chain, day)
);

-- The day that is not sealed yet, as one that is. A nobody's zeros are left out.
CREATE VIEW open_reward_day AS
  SELECT cursor.chain, sums.piece, (sums.piece * 1000 + one.at - 1)::integer AS serial, cursor.open_day AS day, one.opening_gwei,
         one.closing_gwei, one.effective_eth::integer, one.slashed = 1 AS slashed, one.withdrawals_gwei, one.deposits_gwei,
         one.rewards_gwei, one.penalties_gwei, one.rounding_gwei, one.unbroken_epochs::integer, one.active_epochs::integer,
         one.stake_eth_epochs,
         coalesce((SELECT sum(amount_wei) FROM execution_reward AS paid
                    WHERE paid.day = cursor.open_day AND paid.serial = sums.piece * 1000 + one.at - 1), 0) AS execution_rewards_wei
    FROM reward_cursor AS cursor JOIN day_so_far AS sums USING (chain),
         unnest(chain_index, opening_gwei, closing_gwei, effective_eth, slashed, withdrawals_gwei, deposits_gwei, rewards_gwei,
                penalties_gwei, rounding_gwei, unbroken_epochs, active_epochs, stake_eth_epochs) WITH ORDINALITY
           AS one (chain_index, opening_gwei, closing_gwei, effective_eth, slashed, withdrawals_gwei, deposits_gwei, rewards_gwei,
                   penalties_gwei, rounding_gwei, unbroken_epochs, active_epochs, stake_eth_epochs, at)
   WHERE one.chain_index >= 0
     AND (one.opening_gwei, one.closing_gwei, one.withdrawals_gwei, one.deposits_gwei, one.active_epochs) <> (0, 0, 0, 0, 0);

-- All days of all validators. Reports ask the two parts for themselves, each in the way that is quick there.
CREATE VIEW reward_day AS
  SELECT serial, day, opening_gwei, closing_gwei, effective_eth, slashed, withdrawals_gwei, deposits_gwei,
         rewards_gwei, penalties_gwei, rounding_gwei, unbroken_epochs, active_epochs, stake_eth_epochs, execution_rewards_wei
    FROM validator_day
  UNION ALL
  SELECT serial, day, opening_gwei, closing_gwei, effective_eth, slashed, withdrawals_gwei, deposits_gwei,
         rewards_gwei, penalties_gwei, rounding_gwei, unbroken_epochs, active_epochs, stake_eth_epochs, execution_rewards_wei
    FROM open_reward_day;

-- A ledger is written once. What made up a day may go when the day is sealed.
CREATE TRIGGER validator_day_kept BEFORE UPDATE OR DELETE ON validator_day FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER execution_reward_kept BEFORE UPDATE OR DELETE ON execution_reward FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER epoch_chunk_unchanged BEFORE UPDATE ON epoch_chunk FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE FUNCTION refuse_unsealed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM reward_cursor WHERE chain = OLD.chain AND open_day > OLD.day) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the day of an % is not sealed yet', TG_TABLE_NAME;
END
$$;
CREATE TRIGGER epoch_chunk_kept BEFORE DELETE ON epoch_chunk FOR EACH ROW EXECUTE FUNCTION refuse_unsealed();

-- Blocks are looked at when they are final: its owner may have named another address by then.
CREATE TABLE past_fee_address (
  serial integer NOT NULL REFERENCES validator,
  fee_address bytea NOT NULL,
  PRIMARY KEY (serial, fee_address)
);
CREATE FUNCTION keep_fee_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO past_fee_address VALUES (OLD.serial, OLD.fee_address) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER validator_fee_address AFTER UPDATE OF fee_address ON validator
  FOR EACH ROW WHEN (OLD.fee_address IS DISTINCT FROM NEW.fee_address) EXECUTE FUNCTION keep_fee_address();
