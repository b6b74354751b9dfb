import { homedir } from 'node:os'
import { join } from 'node:path'
import { platformUrl, readEnv } from './env.js'

describe(readEnv, () => {
  it('counts an empty variable as none, as no-color.org asks', () => {
    const env = readEnv({ TRESTLE_URL: '', TRESTLE_TOKEN: '', NO_COLOR: '', PATH: '' })
    expect(env).toMatchObject({ url: undefined, token: undefined, isColourless: false, path: [] })
  })

  it.each([
    [{ NO_COLOR: '1' }, true],
    [{ TERM: 'dumb' }, true],
    [{ TERM: 'xterm' }, false],
  ])('disables colours with %j: %s', (source, isColourless) => {
    expect(readEnv(source)).toMatchObject({ isColourless })
  })

  it('ignores a relative XDG_CONFIG_HOME, as its specification asks', () => {
    expect([readEnv({ XDG_CONFIG_HOME: '/etc/x' }).folder, readEnv({ XDG_CONFIG_HOME: 'x' }).folder]).toEqual([
      '/etc/x/trestle',
      join(homedir(), '.config/trestle'),
    ])
  })

  it('passes on the environment without the variables of npm, but with its settings', () => {
    const { inherited } = readEnv({ npm_lifecycle_event: 'start', npm_config_registry: 'http://any', HOME: '/root' })
    expect(inherited).toEqual({ npm_config_registry: 'http://any', HOME: '/root' })
  })
})

describe(platformUrl, () => {
  it.each([
    ['https://trestle.example/', 'https://trestle.example'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
    ['https://any.example/trestle//', 'https://any.example/trestle'],
  ])('of %s is %s', (given, url) => {
    expect(platformUrl(given, 'TRESTLE_URL')).toBe(url)
  })

  it.each(['trestle.example:8080', '//any', 'file:///etc', 'http://u@any', 'http://:p@any', 'http://any#x', 'http://any?x'])(
    'refuses %s as wrong usage',
    (given) => {
      expect(() => platformUrl(given, 'TRESTLE_URL')).toThrow(
        expect.objectContaining({ exit: 2, message: expect.stringContaining('TRESTLE_URL must be the URL') }),
      )
    },
  )
})
