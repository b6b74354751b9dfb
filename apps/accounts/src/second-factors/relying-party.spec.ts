import { relyingPartyOf } from './relying-party.js'

describe(relyingPartyOf, () => {
  it.each([
    ['https://trestle.example', 'trestle.example', 'https://trestle.example'],
    ['https://trestle.example:8443/', 'trestle.example', 'https://trestle.example:8443'],
    ['http://localhost:8080', 'localhost', 'http://localhost:8080'],
    ['http://127.0.0.1:8080', 'localhost', 'http://localhost:8080'],
    ['http://[::1]:8080', 'localhost', 'http://localhost:8080'],
    ['http://127.0.0.1.example', '127.0.0.1.example', 'http://127.0.0.1.example'],
  ])('of %s is %s at %s', (publicUrl, id, origin) => {
    expect(relyingPartyOf(publicUrl)).toEqual({ id, origin })
  })
})
