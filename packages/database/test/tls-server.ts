import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { query, startServer } from './server.js'

/** A Postgres server with a certificate for `localhost` from an authority of its own. */
export async function startTlsServer() {
  const server = await startServer()
  const folder = mkdtempSync(join(tmpdir(), 'trestle-tls-'))
  const certificates = certificatesIn(folder)
  const [row] = (await query(server.adminUrl, 'SHOW data_directory')) as [{ data_directory: string }]
  const data = row.data_directory
  const serve = async (name: string) => {
    for (const [setting, file] of [
      ['ssl_cert_file', `${name}.crt`],
      ['ssl_key_file', `${name}.key`],
    ] as const) {
      const path = join(data, file)
      give(join(folder, file), path, statSync(data))
      await query(server.adminUrl, `ALTER SYSTEM SET ${setting} = '${path}'`)
    }
    await reloadWith(server.adminUrl, 'ssl', 'on')
    await until(server.adminUrl, 'ssl_cert_file', join(data, `${name}.crt`))
  }
  return {
    ...server,
    ...certificates,
    serve,
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

/** The server refuses a key that others own or can read. */
function give(from: string, to: string, { uid, gid }: { uid: number; gid: number }): void {
  copyFileSync(from, to)
  chmodSync(to, 0o600)
  chownSync(to, uid, gid)
}

/** Changes a setting of the server that needs no restart. */
export async function reloadWith(url: string, setting: string, value: string): Promise<void> {
  await query(url, `ALTER SYSTEM SET ${setting} = ${value}`)
  await query(url, 'SELECT pg_reload_conf()')
  await until(url, setting, value)
}

async function until(url: string, setting: string, value: string): Promise<void> {
  // A new connection has the settings that the server has by now.
  while (JSON.stringify(await query(url, `SELECT current_setting('${setting}') AS value`)) !== JSON.stringify([{ value }]));
}

/** `ours.pem` has signed `localhost` and `elsewhere`, which is for another host; `theirs.pem` has signed nothing. */
function certificatesIn(folder: string) {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  for (const name of ['ours', 'theirs'])
    openssl('req', '-x509', ...key, '-keyout', `${name}.key`, '-out', `${name}.pem`, '-subj', `/CN=${name} root`)
  for (const [name, host] of [
    ['localhost', 'localhost'],
    ['elsewhere', 'db.example.com'],
  ] as const)
    openssl(
      ...['req', '-x509', ...key, '-keyout', `${name}.key`, '-out', `${name}.crt`, '-subj', `/CN=${host}`],
      ...[
        '-addext',
        `subjectAltName=DNS:${host}`,
        '-addext',
        'basicConstraints=critical,CA:FALSE',
        '-CA',
        'ours.pem',
        '-CAkey',
        'ours.key',
      ],
    )
  return { ours: join(folder, 'ours.pem'), theirs: join(folder, 'theirs.pem') }
}
