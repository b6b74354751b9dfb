-- How validators did their duties, by the day. Of days that were sealed before this nothing is known, and NULL.

-- Attestations, and blocks while in a sync committee, of which a node told whether the validator was there; and how often it was not.
ALTER TABLE day_so_far
  ADD COLUMN attestations bigint[] NOT NULL DEFAULT array_fill(0::bigint, ARRAY[1000]),
  ADD COLUMN missed_attestations bigint[] NOT NULL DEFAULT array_fill(0::bigint, ARRAY[1000]),
  ADD COLUMN sync_duties bigint[] NOT NULL DEFAULT array_fill(0::bigint, ARRAY[1000]),
  ADD COLUMN missed_sync_duties bigint[] NOT NULL DEFAULT array_fill(0::bigint, ARRAY[1000]);

ALTER TABLE validator_day
  ADD COLUMN attestations integer,
  ADD COLUMN missed_attestations integer CHECK (missed_attestations BETWEEN 0 AND attestations),
  ADD COLUMN sync_duties integer,
  ADD COLUMN missed_sync_duties integer CHECK (missed_sync_duties BETWEEN 0 AND sync_duties);

-- A slot that was a validator's of ours, and is empty. Those that are not stand in execution_reward.
CREATE TABLE missed_proposal (
  chain text NOT NULL,
  slot integer NOT NULL,
  serial integer NOT NULL REFERENCES validator,
  epoch integer NOT NULL,
  day date NOT NULL,
  PRIMARY KEY (chain, slot)
);
CREATE INDEX missed_proposal_day ON missed_proposal (day, serial);
CREATE TRIGGER missed_proposal_kept BEFORE UPDATE OR DELETE ON missed_proposal FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Epochs with an empty slot of which no node told whose it was.
ALTER TABLE chain_day ADD COLUMN untold_epochs integer;

CREATE OR REPLACE VIEW open_reward_day AS
  SELECT cursor.chain, sums.piece, (sums.piece * 1000 + one.at - 1)::integer AS serial, cursor.open_day AS day, one.opening_gwei,
         one.closing_gwei, one.effective_eth::integer, one.slashed = 1 AS slashed, one.withdrawals_gwei, one.deposits_gwei,
         one.rewards_gwei, one.penalties_gwei, one.rounding_gwei, one.unbroken_epochs::integer, one.active_epochs::integer,
         one.stake_eth_epochs,
         coalesce((SELECT sum(amount_wei) FROM execution_reward AS paid
                    WHERE paid.day = cursor.open_day AND paid.serial = sums.piece * 1000 + one.at - 1), 0) AS execution_rewards_wei,
         one.attestations::integer, one.missed_attestations::integer, one.sync_duties::integer, one.missed_sync_duties::integer
    FROM reward_cursor AS cursor JOIN day_so_far AS sums USING (chain),
         unnest(chain_index, opening_gwei, closing_gwei, effective_eth, slashed, withdrawals_gwei, deposits_gwei, rewards_gwei,
                penalties_gwei, rounding_gwei, unbroken_epochs, active_epochs, stake_eth_epochs, attestations, missed_attestations,
                sync_duties, missed_sync_duties) WITH ORDINALITY
           AS one (chain_index, opening_gwei, closing_gwei, effective_eth, slashed, withdrawals_gwei, deposits_gwei, rewards_gwei,
                   penalties_gwei, rounding_gwei, unbroken_epochs, active_epochs, stake_eth_epochs, attestations, missed_attestations,
                   sync_duties, missed_sync_duties, at)
   WHERE one.chain_index >= 0
     AND (one.opening_gwei, one.closing_gwei, one.withdrawals_gwei, one.deposits_gwei, one.active_epochs) <> (0, 0, 0, 0, 0);
