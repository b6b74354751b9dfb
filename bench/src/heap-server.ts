import { createServer } from 'node:http'

// Loaded into a service before its own code: on a request it collects all garbage and answers how many bytes are left.

const collect = globalThis.gc
if (!collect) throw new Error('measuring the live heap requires --expose-gc')

createServer((_request, response) => {
  // The second collects what the first only finalized.
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  response.end(String(heapUsed + external))
})
  .listen(Number(process.env.MEMORY_PORT), '127.0.0.1')
  .unref()
