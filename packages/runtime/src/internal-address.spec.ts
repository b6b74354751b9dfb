import { promisify } from 'node:util'
import { guardedLookup, isInternalAddress } from './internal-address.js'

it.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.169.254',
  '172.31.0.1',
  '192.168.1.1',
  '198.19.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'fd00::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
])('%s is internal', (address) => {
  expect(isInternalAddress(address)).toBe(true)
})

it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '::ffff:8.8.8.8', '2606:4700::1111', '2a00:1450::1'])(
  '%s is on the internet',
  (address) => {
    expect(isInternalAddress(address)).toBe(false)
  },
)

describe(guardedLookup, () => {
  const looked = (mayConnect: boolean, options: object) => promisify(guardedLookup(() => mayConnect))('localhost', options)

  it('gives the addresses of a host, all of them or one', async () => {
    expect(await looked(true, { all: true })).toContainEqual({ address: '127.0.0.1', family: 4 })
    expect(await looked(true, { family: 4 })).toBe('127.0.0.1')
  })

  it('refuses a host with an address that may not be reached', async () => {
    await expect(looked(false, { all: true })).rejects.toThrow('localhost is internal')
  })

  it('passes on that there is no such host', async () => {
    await expect(promisify(guardedLookup(() => true))('no-such-host.invalid', { all: true })).rejects.toThrow('no-such-host.invalid')
  })
})
