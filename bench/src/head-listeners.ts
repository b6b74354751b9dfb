import { WebSocket } from 'ws'

// Some thousand subscribers of new heads, in a process of their own: `node head-listeners.ts <url> <count>`. It sends a message when all
// have subscribed, and on request when each of them received each head, on the clock that all processes of a machine share.

const [url = '', count = '0'] = process.argv.slice(2)
const AT_ONCE = 50

/** By head, in order: when each listener received it, in milliseconds. */
const received: number[][] = []
let left = Number(count)

async function connect(): Promise<void> {
  while (left-- > 0) await listen()
}

function listen(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    let next = -1
    socket.on('open', () => socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}'))
    socket.on('message', (data: Buffer) => {
      const now = Number(process.hrtime.bigint()) / 1e6
      // The first message is the answer to the subscription.
      const head = next++
      if (head >= 0) record(head, now)
      else if (data.includes('"result"')) resolve()
      else reject(new Error(String(data)))
    })
    socket.on('error', reject)
  })
}

function record(head: number, now: number): void {
  const times = received[head]
  if (times) times.push(now)
  else received[head] = [now]
}

process.on('disconnect', () => process.exit())
process.on('message', () => process.send?.(received))
await Promise.all(Array.from({ length: AT_ONCE }, connect))
process.send?.('subscribed')
