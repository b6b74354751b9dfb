-- Why every beacon node refused the exit when it was last sent.
ALTER TABLE validator ADD COLUMN exit_problem text;
