import { createLogger, nestLogger } from './logger.js'
import { requestIds } from './request.js'

describe(createLogger, () => {
  it('writes one JSON line, whatever the text contains', () => {
    const { logger, lines } = collecting()
    logger.info({ agent: '\n{"level":50}' }, 'a\nb')
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 30, name: 'test', agent: '\n{"level":50}', msg: 'a\nb' })
  })

  it('hides secrets at any depth without changing the logged object', () => {
    const { logger, lines } = collecting()
    const logged = { password: 'a', body: { accessToken: 'b', list: { Authorization: 'c' } } }
    logger.info(logged, 'x')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      password: '[redacted]',
      body: { accessToken: '[redacted]', list: { Authorization: '[redacted]' } },
    })
    expect(logged).toEqual({ password: 'a', body: { accessToken: 'b', list: { Authorization: 'c' } } })
  })

  it('accepts a circular object', () => {
    const { logger, lines } = collecting()
    const circle: Record<string, unknown> = {}
    circle.self = circle
    logger.info({ circle }, 'x')
    expect(lines).toHaveLength(1)
  })

  it('adds the id of the current request', () => {
    const { logger, lines } = collecting()
    requestIds.run('request-1', () => logger.warn('x'))
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ requestId: 'request-1' })
  })
})

describe(nestLogger, () => {
  it("keeps an error's stack", () => {
    const { logger, lines } = collecting()
    nestLogger(logger).error(new Error('broken'))
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 50,
      msg: 'broken',
      err: { message: 'broken', stack: expect.stringContaining('logger.spec') },
    })
  })
})

function collecting() {
  const lines: string[] = []
  return { lines, logger: createLogger('test', 'info', { write: (line) => void lines.push(line) }) }
}
