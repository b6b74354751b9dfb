import { checkTokenSettings, tokenColumns, tokensIn } from './token-settings.js'

const named = (jwksUrl: string) => ({ jwksUrl, issuer: 'https://id.example', audience: 'app' })

it.each(['https://id.example/keys', 'https://8.8.8.8/keys', 'https://[2606:4700::1111]:8443/keys'])('keys may be at %s', (url) => {
  expect(() => checkTokenSettings(named(url), false)).not.toThrow()
})

it.each([
  'https://127.0.0.1/keys',
  'https://2130706433/keys',
  'https://0x7f.1/keys',
  'https://10.0.0.1/keys',
  'https://169.254.169.254/latest',
  'https://[::1]/keys',
  'https://[::ffff:127.0.0.1]/keys',
  'https://[fd00::1]/keys',
])('keys may not be at %s', (url) => {
  expect(() => checkTokenSettings(named(url), false)).toThrow('body.tokens.jwksUrl: must be on the internet')
})

it('keys may be on this machine outside production, and nowhere else inside', () => {
  expect(() => checkTokenSettings(named('https://127.0.0.1/keys'), true)).not.toThrow()
  expect(() => checkTokenSettings(named('https://10.0.0.1/keys'), true)).toThrow('must be on the internet')
})

it('no password is part of the URL', () => {
  expect(() => checkTokenSettings(named('https://ada:secret@id.example/keys'), false)).toThrow('must have no user name or password')
})

it.each([named('https://id.example/keys'), undefined])('is read as it was written: %j', (tokens) => {
  expect(tokensIn(tokenColumns(tokens))).toEqual(tokens)
})
