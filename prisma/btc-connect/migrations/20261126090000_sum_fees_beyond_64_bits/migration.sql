-- A bigint ends at 92 billion dogecoins, and there are more. Amounts of one transaction fit; sums of many need not.
ALTER TABLE mempool_band ALTER COLUMN fees TYPE numeric;
