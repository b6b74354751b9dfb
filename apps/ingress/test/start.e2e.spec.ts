import { once } from 'node:events'
import { jest } from '@jest/globals'

const SIGNALS = ['SIGTERM', 'SIGINT', 'uncaughtException']
const listenersOf = () => SIGNALS.flatMap((name) => process.rawListeners(name).map((listener) => ({ name, listener })))

it.each([
  [undefined, []],
  ['192.0.2.7,10.0.0.0/8', ['Address: IPv4 192.0.2.7', 'Subnet: IPv4 10.0.0.0/8']],
])('the ingress logs first whose X-Forwarded-For it trusts, with TRUSTED_PROXIES=%s', async (TRUSTED_PROXIES, trustedProxies) => {
  const environment = { HOST: '127.0.0.1', PORT: '0', INTERNAL_PORT: '0', ...(TRUSTED_PROXIES && { TRUSTED_PROXIES }) }
  const before = { env: process.env, listeners: listenersOf() }
  process.env = environment
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  const exited = new EventTarget()
  const exit = jest.spyOn(process, 'exit').mockImplementation(() => exited.dispatchEvent(new Event('exit')) as never)
  jest.resetModules()
  await import('../src/main.js')
  const ended = once(exited, 'exit')
  process.emit('SIGTERM')
  await ended
  const [line = ''] = write.mock.calls.map(([text]) => String(text))
  write.mockRestore()
  exit.mockRestore()
  process.env = before.env
  for (const { name, listener } of listenersOf())
    if (!before.listeners.some((each) => each.listener === listener)) process.off(name, listener as () => void)
  expect(JSON.parse(line)).toMatchObject({ msg: 'ready', trustedProxies })
})
