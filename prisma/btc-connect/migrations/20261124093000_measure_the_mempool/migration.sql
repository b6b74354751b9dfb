-- How much waits, by what it pays: counted as transactions come and go, so that nobody has to read them all to tell.

ALTER TABLE mempool_tx
  -- These three are unknown of what a release before this one wrote.
  ADD COLUMN vsize integer,
  ADD COLUMN inputs integer,
  ADD COLUMN value_out bigint,
  -- Unknown while what it spends is.
  ADD COLUMN fee bigint,
  -- Where the band begins that it is in, in satoshis a virtual byte.
  ADD COLUMN rate integer;

CREATE TABLE mempool_band (
  -- As of its transactions; -1 of those whose fee is unknown.
  rate integer PRIMARY KEY,
  transactions bigint NOT NULL,
  vsize bigint NOT NULL,
  fees bigint NOT NULL
) WITH (fillfactor = 10);
INSERT INTO mempool_band SELECT -1, count(*), coalesce(sum(octet_length(raw)), 0), 0 FROM mempool_tx;

-- Adds what has changed, or takes it away. Whoever changes the mempool does so under a lock: nobody waits here.
CREATE FUNCTION count_mempool() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sign CONSTANT integer := TG_ARGV[0];
BEGIN
  INSERT INTO mempool_band AS known (rate, transactions, vsize, fees)
  SELECT coalesce(rate, -1) AS band, sign * count(*), sign * sum(coalesce(vsize, octet_length(raw))), sign * coalesce(sum(fee), 0)
    FROM changed GROUP BY band ORDER BY band
  ON CONFLICT (rate) DO UPDATE SET
    transactions = known.transactions + excluded.transactions,
    vsize = known.vsize + excluded.vsize,
    fees = known.fees + excluded.fees;
  RETURN NULL;
END
$$;
CREATE TRIGGER mempool_came AFTER INSERT ON mempool_tx
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_mempool('1');
CREATE TRIGGER mempool_went AFTER DELETE ON mempool_tx
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_mempool('-1');
CREATE TRIGGER mempool_became AFTER UPDATE ON mempool_tx
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_mempool('1');
CREATE TRIGGER mempool_was AFTER UPDATE ON mempool_tx
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_mempool('-1');
