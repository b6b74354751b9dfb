import { createServer } from 'node:http'

// Loaded into a service before its own code: collects all garbage when it is asked, and answers how many bytes are left.

const collect = globalThis.gc
if (!collect) throw new Error('memory can only be told from garbage with --expose-gc')

createServer((_request, response) => {
  // The second takes what the first has only finalized.
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  response.end(String(heapUsed + external))
})
  .listen(Number(process.env.MEMORY_PORT), '127.0.0.1')
  .unref()
