import { isMachineAddress } from './address.js'

describe(isMachineAddress, () => {
  it.each(['10.0.0.7', '172.31.4.5', '192.168.1.1', '3.4.5.6'])('accepts %s', (address) => {
    expect(isMachineAddress(address)).toBe(true)
  })

  it.each([
    '169.254.169.254',
    '127.0.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::ffff:127.0.0.1',
    'localhost',
    '0x7f.1',
    '',
  ])('refuses %j', (address) => {
    expect(isMachineAddress(address)).toBe(false)
  })
})
