import { readAddresses } from './addresses.js'

describe('Addresses', () => {
  it('are taken as they are written: by line, comma or blank, each once', () => {
    expect(readAddresses('10.0.0.0/8\n 192.0.2.1,2001:db8::/32  10.0.0.0/8')).toEqual({
      addresses: ['10.0.0.0/8', '192.0.2.1', '2001:db8::/32'],
      wrong: [],
    })
  })

  it('reports text that is no address', () => {
    expect(readAddresses('10.0.0.1 localhost 300.1.1.1').wrong).toEqual(['localhost', '300.1.1.1'])
  })

  it('may be none at all', () => {
    expect(readAddresses(' \n')).toEqual({ addresses: [], wrong: [] })
  })
})
