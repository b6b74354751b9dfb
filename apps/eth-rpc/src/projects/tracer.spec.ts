import { isPlainTrace } from './tracer.js'

const HASH = `0x${'1'.repeat(64)}`

describe(isPlainTrace, () => {
  it.each([[[HASH]], [[HASH, null]], [[HASH, {}]], [[HASH, { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }]]])(
    'is %j',
    (params) => {
      expect(isPlainTrace('debug_traceTransaction', params)).toBe(true)
    },
  )

  it.each([
    { tracer: '{ step: function() {}, fault: function() {}, result: function() {} }' },
    { Tracer: '{}' },
    { tracer: 'callTracer', TRACER: '{}' },
    { tracer: {} },
    { timeout: '1h' },
    { Timeout: '1h' },
    { reexec: 1_000_000 },
    { reExec: 1 },
  ])('is no %j', (options) => {
    expect(isPlainTrace('debug_traceTransaction', [HASH, options])).toBe(false)
    expect(isPlainTrace('debug_traceCall', [{}, 'latest', options])).toBe(false)
    expect(isPlainTrace('debug_traceBlockByNumber', ['latest', options])).toBe(false)
  })
})
