-- What a balance gained or lost for a reason that no node shows is neither a reward nor principal, and in no bill.
ALTER TABLE epoch_chunk ADD COLUMN unexplained_gwei bigint[];
ALTER TABLE day_so_far ADD COLUMN unexplained_gwei bigint[] NOT NULL DEFAULT array_fill(0::bigint, ARRAY[1000]);
ALTER TABLE validator ADD COLUMN unexplained_gwei bigint NOT NULL DEFAULT 0;

ALTER TABLE validator_day ADD COLUMN unexplained_gwei bigint NOT NULL DEFAULT 0;
ALTER TABLE validator_day ALTER COLUMN unexplained_gwei DROP DEFAULT, DROP CONSTRAINT identity, ADD CONSTRAINT identity
  CHECK (closing_gwei = opening_gwei - withdrawals_gwei + deposits_gwei + rewards_gwei - penalties_gwei + rounding_gwei + unexplained_gwei);

-- The release before seals days that this one began.
CREATE FUNCTION complete_unexplained() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.unexplained_gwei := coalesce(NEW.unexplained_gwei, NEW.closing_gwei - NEW.opening_gwei + NEW.withdrawals_gwei - NEW.deposits_gwei
    - NEW.rewards_gwei + NEW.penalties_gwei - NEW.rounding_gwei);
  RETURN NEW;
END
$$;
CREATE TRIGGER validator_day_unexplained BEFORE INSERT ON validator_day FOR EACH ROW EXECUTE FUNCTION complete_unexplained();

CREATE OR REPLACE VIEW open_reward_day AS
  SELECT cursor.chain, sums.piece, (sums.piece * 1000 + one.at - 1)::integer AS serial, cursor.open_day AS day, one.opening_gwei,
         one.closing_gwei, one.effective_eth::integer, one.slashed = 1 AS slashed, one.withdrawals_gwei, one.deposits_gwei,
         one.rewards_gwei, one.penalties_gwei, one.rounding_gwei, one.unbroken_epochs::integer, one.active_epochs::integer,
         one.stake_eth_epochs,
         coalesce((SELECT sum(amount_wei) FROM execution_reward AS paid
                    WHERE paid.day = cursor.open_day AND paid.serial = sums.piece * 1000 + one.at - 1), 0) AS execution_rewards_wei,
         one.attestations::integer, one.missed_attestations::integer, one.sync_duties::integer, one.missed_sync_duties::integer,
         one.unexplained_gwei
    FROM reward_cursor AS cursor JOIN day_so_far AS sums USING (chain),
         unnest(chain_index, opening_gwei, closing_gwei, effective_eth, slashed, withdrawals_gwei, deposits_gwei, rewards_gwei,
                penalties_gwei, rounding_gwei, unbroken_epochs, active_epochs, stake_eth_epochs, attestations, missed_attestations,
                sync_duties, missed_sync_duties, unexplained_gwei) WITH ORDINALITY
           AS one (chain_index, opening_gwei, closing_gwei, effective_eth, slashed, withdrawals_gwei, deposits_gwei, rewards_gwei,
                   penalties_gwei, rounding_gwei, unbroken_epochs, active_epochs, stake_eth_epochs, attestations, missed_attestations,
                   sync_duties, missed_sync_duties, unexplained_gwei, at)
   WHERE one.chain_index >= 0
     AND (one.opening_gwei, one.closing_gwei, one.withdrawals_gwei, one.deposits_gwei, one.active_epochs) <> (0, 0, 0, 0, 0);

CREATE OR REPLACE VIEW reward_day AS
  SELECT serial, day, opening_gwei, closing_gwei, effective_eth, slashed, withdrawals_gwei, deposits_gwei,
         rewards_gwei, penalties_gwei, rounding_gwei, unbroken_epochs, active_epochs, stake_eth_epochs, execution_rewards_wei, unexplained_gwei
    FROM validator_day
  UNION ALL
  SELECT serial, day, opening_gwei, closing_gwei, effective_eth, slashed, withdrawals_gwei, deposits_gwei,
         rewards_gwei, penalties_gwei, rounding_gwei, unbroken_epochs, active_epochs, stake_eth_epochs, execution_rewards_wei, unexplained_gwei
    FROM open_reward_day;
