import { createServer } from 'node:http'

// Loaded into a service before its own code: collects all garbage when it is asked, and answers how many bytes are left.

createServer((_request, response) => {
  // The second takes what the first has only finalized.
  gc?.()
  gc?.()
  const { heapUsed, external } = process.memoryUsage()
  response.end(String(heapUsed + external))
})
  .listen(Number(process.env.MEMORY_PORT), '127.0.0.1')
  .unref()
