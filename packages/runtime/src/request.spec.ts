import { clientAddressOf } from './request.js'

describe(clientAddressOf, () => {
  it.each([
    [['10.0.0.1', '203.0.113.9'], '203.0.113.9'],
    [['10.0.0.1', 'garbage'], '10.0.0.1'],
    [['10.0.0.1', '"><script>', ''], '10.0.0.1'],
    [['::ffff:203.0.113.9'], '203.0.113.9'],
    [['10.0.0.1', 'fe80::1%eth0'], 'fe80::1'],
    [['2001:db8::1'], '2001:db8::1'],
  ])('is, for the hops %j, %s', (ips, address) => {
    expect(clientAddressOf({ ip: ips.at(-1) ?? '', ips })).toBe(address)
  })
})
