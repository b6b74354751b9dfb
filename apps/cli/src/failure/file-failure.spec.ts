import { fileFailure } from './file-failure.js'

const FILE = '/home/ada/.config/trestle/credentials.json'

describe(fileFailure, () => {
  it.each([
    ['EACCES', 'permission denied'],
    ['EPERM', 'permission denied'],
    ['EROFS', 'the file system is read-only'],
    ['ENOSPC', 'no space is left on the disk'],
  ])('says in a sentence what %s means, and what to do', (code, reason) => {
    const error = Object.assign(new Error(`${code}: some text, open '${FILE}'`), { code })
    expect(fileFailure(error, FILE, 'written', 'Do that.')).toMatchObject({
      name: 'Failure',
      exit: 1,
      message: `${FILE} cannot be written: ${reason}.`,
      advice: 'Do that.',
    })
  })

  it.each([new Error('other'), Object.assign(new Error('other'), { code: 'constructor' }), null, 'text'])('leaves %p as it is', (error) => {
    expect(fileFailure(error, FILE, 'read', '')).toBe(error)
  })
})
