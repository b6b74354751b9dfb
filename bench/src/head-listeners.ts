import { WebSocket } from 'ws'

// Some thousand callers who subscribed to new heads, in a process of their own: `node head-listeners.ts <url> <how many>`. It says when all
// have subscribed; asked, it tells when each of them heard of each head, on the clock that all processes of a machine share.

const [url = '', count = '0'] = process.argv.slice(2)
const AT_ONCE = 50

/** By head in the order they came: when each listener heard of it, in milliseconds. */
const heard: number[][] = []
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
      if (head >= 0) hear(head, now)
      else if (data.includes('"result"')) resolve()
      else reject(new Error(String(data)))
    })
    socket.on('error', reject)
  })
}

function hear(head: number, now: number): void {
  const times = heard[head]
  if (times) times.push(now)
  else heard[head] = [now]
}

process.on('disconnect', () => process.exit())
process.on('message', () => process.send?.(heard))
await Promise.all(Array.from({ length: AT_ONCE }, connect))
process.send?.('subscribed')
