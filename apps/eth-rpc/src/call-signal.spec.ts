import { CallAbort } from './call-signal.js'

describe(CallAbort, () => {
  it('calls every listener once', () => {
    const { abort, reported, listener } = watched()
    abort.addEventListener('abort', listener)
    abort.abort('gone')
    abort.abort('again')
    expect(reported).toEqual(['gone'])
  })

  it('does not call a removed listener', () => {
    const { abort, reported, listener } = watched()
    abort.addEventListener('abort', listener)
    abort.removeEventListener('abort', listener)
    abort.abort()
    expect(reported).toEqual([])
  })

  it('calls the others when one removes itself while being called', () => {
    const { abort, reported, listener } = watched()
    const leaving = { handleEvent: () => abort.removeEventListener('abort', leaving) }
    abort.addEventListener('abort', leaving)
    abort.addEventListener('abort', listener)
    abort.abort('gone')
    expect(reported).toEqual(['gone'])
  })

  it('follows an AbortSignal', () => {
    const controller = new AbortController()
    const { abort } = watched()
    controller.signal.addEventListener('abort', abort)
    controller.abort()
    expect(abort.aborted).toBe(true)
  })
})

function watched() {
  const abort = new CallAbort()
  const reported: unknown[] = []
  return { abort, reported, listener: { handleEvent: () => reported.push(abort.reason) } }
}
