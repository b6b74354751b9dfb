-- What was asked of upstreams that have a budget, by month of UTC. Each process writes how much it has come to in all, so that a write that is
-- repeated changes nothing; the rows of those that are gone are added up under a process of zeros.
CREATE TABLE provider_spending (
  budget text NOT NULL,
  month date NOT NULL CHECK (extract(day FROM month) = 1),
  process uuid NOT NULL,
  units double precision NOT NULL CHECK (units >= 0),
  written_at timestamptz(3) NOT NULL,
  PRIMARY KEY (budget, month, process)
);
