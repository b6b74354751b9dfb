-- For wrk: callers who think between their calls, each for a time of its own, so that together they call as a Poisson process does.
-- Arguments: the file of the bodies, one a line; how long a caller thinks on average, in ms; how long the right answer
-- is; the number of threads.

local threads = {}

function setup(thread)
  thread:set("turn", #threads)
  table.insert(threads, thread)
end

function init(args)
  wrk.method = "POST"
  wrk.headers["content-type"] = "application/json"
  think, bytes = tonumber(args[2]), tonumber(args[3])
  math.randomseed(turn)
  bodies, last, failures = {}, 0, 0
  local line = 0
  for body in io.lines(args[1]) do
    -- No thread sends what another does.
    if line % tonumber(args[4]) == turn then
      table.insert(bodies, body)
    end
    line = line + 1
  end
end

function delay()
  -- wrk's clock goes by whole milliseconds: what is cut off is half of one on average.
  return math.floor(-math.log(1 - math.random()) * think + 0.5)
end

function request()
  last = last % #bodies + 1
  return wrk.format(nil, nil, nil, bodies[last])
end

function response(status, _, body)
  if status ~= 200 or #body ~= bytes then
    failures = failures + 1
  end
end

function done(summary, latency)
  local failed = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  for _, thread in ipairs(threads) do
    failed = failed + thread:get("failures")
  end
  local told = '{"requests":%d,"seconds":%f,"p50":%f,"p99":%f,"failures":%d}'
  io.write(told:format(summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, failed))
end
