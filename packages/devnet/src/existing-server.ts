import { connect } from 'node:net'

const PATIENCE_MS = 3000

/** Refuses the address of an existing server, given by a variable, when nothing answers there. Never shows its password. */
export async function requireListeningServer(variable: string, url: string, defaultPort: number): Promise<string> {
  if (!URL.canParse(url)) throw new Error(`${variable} is not a URL.`)
  const { hostname, port } = new URL(url)
  const address = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || defaultPort) }
  if (await answers(address)) return url
  throw new Error(`Nothing answers at ${hostname}:${address.port}, where ${variable} says there is a server.`)
}

function answers(address: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...address, timeout: PATIENCE_MS })
    const settle = (answer: boolean) => () => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('connect', settle(true)).on('error', settle(false)).on('timeout', settle(false))
  })
}
