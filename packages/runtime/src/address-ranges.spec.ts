import { addressesOf } from './address-ranges.js'

describe(addressesOf, () => {
  const list = addressesOf(['192.0.2.7', '198.51.100.0/24', '2001:db8::1', '2001:db8:1::/48'])

  it.each(['192.0.2.7', '198.51.100.0', '198.51.100.255'])('contain %s', (address) => {
    expect(list.check(address, 'ipv4')).toBe(true)
  })

  it.each(['192.0.2.6', '192.0.2.8', '198.51.99.255', '198.51.101.0'])('do not contain %s', (address) => {
    expect(list.check(address, 'ipv4')).toBe(false)
  })

  it.each(['2001:db8::1', '2001:db8:1::', '2001:db8:1:ffff::1', '::ffff:192.0.2.7'])('contain %s', (address) => {
    expect(list.check(address, 'ipv6')).toBe(true)
  })

  it.each(['2001:db8::2', '2001:db8:2::', '::ffff:192.0.2.6'])('do not contain %s', (address) => {
    expect(list.check(address, 'ipv6')).toBe(false)
  })

  it('are empty without ranges', () => {
    expect(addressesOf([]).check('192.0.2.7', 'ipv4')).toBe(false)
  })
})
