import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess } from './process.js'
import { Supervisor } from './supervisor.js'

describe(Supervisor, () => {
  let dir: string
  let supervisor: Supervisor
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'supervisor-'))
    supervisor = new Supervisor()
  })
  afterEach(async () => {
    await supervisor.stopAll([])
    rmSync(dir, { recursive: true })
  })

  it('starts a killed process again', async () => {
    await supervisor.start('sleeper', sleeper)
    const before = supervisor.pidOf('sleeper')
    supervisor.kill('sleeper', 'SIGKILL')
    await supervisor.restart('sleeper')
    expect(supervisor.pidOf('sleeper')).not.toBe(before)
  })

  it('tells when a process ends of itself, with what it said last', async () => {
    await supervisor.start('broken', async () => shell('echo out of cheese; exit 3'))
    expect(await supervisor.failed).toBe('broken has ended (exit code 3). Its last lines:\nout of cheese')
  })

  it('stops the last ones last', async () => {
    const ended: string[] = []
    for (const name of ['server', 'client']) {
      await supervisor.start(name, async () => {
        const running = await sleeper()
        void running.exited.then(() => ended.push(name))
        return running
      })
    }
    await supervisor.stopAll(['server'])
    expect(ended).toEqual(['client', 'server'])
  })

  it('keeps nothing that comes up while it stops', async () => {
    const ready = Promise.withResolvers<void>()
    const running = await sleeper()
    const start = supervisor.start('late', () => ready.promise.then(() => running))
    await supervisor.stopAll([])
    ready.resolve()
    await expect(start).rejects.toThrow('late came up while everything was being stopped')
    expect(running.isRunning()).toBe(false)
  })

  it('refuses a name it does not know', () => {
    expect(() => supervisor.pidOf('nobody')).toThrow('There is no nobody here')
  })

  const sleeper = async () => shell('exec sleep 1000')

  function shell(script: string) {
    return startProcess({ name: 'sh', command: '/bin/sh', args: ['-c', script], log: join(dir, 'sh.log') })
  }
})

describe(startProcess, () => {
  it('says what is missing', () => {
    const log = join(tmpdir(), 'nothing.log')
    expect(() => startProcess({ name: 'nothing', command: '/nowhere/nothing', log })).toThrow(
      'nothing cannot be started: /nowhere/nothing is missing',
    )
    rmSync(log)
  })
})
