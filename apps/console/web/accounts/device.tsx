import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { DeviceLogin } from '@trestle/contracts/accounts/device-logins'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { FactList } from '../parts/fact-list.js'
import { Loaded } from '../parts/loaded.js'
import { PageLayout } from '../parts/page-layout.js'
import { Panel } from '../parts/panel.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { Time } from '../parts/time.js'
import { platformClient } from '../platform/client.js'
import { accountsTexts } from '../texts/accounts.js'

const texts = accountsTexts.device

export const deviceKey = (code: string) => ['accounts', 'device', code]

/** /app/device: where `trestle login --browser` leads. The code alone does nothing: the user decides, and sees who asks. */
export default function DevicePage() {
  const [query, setQuery] = useSearchParams()
  const code = query.get('code')
  return (
    <PageLayout title={texts.title}>
      <Panel title={code ? texts.question : texts.title}>
        {code ? <Decision code={code} /> : <CodeForm onCode={(typed) => setQuery({ code: typed })} />}
      </Panel>
    </PageLayout>
  )
}

function CodeForm({ onCode }: { onCode: (code: string) => void }) {
  const [code, setCode] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onCode(code.trim())
      }}
    >
      <Stack maw={420}>
        <Text>{texts.text}</Text>
        <TextInput
          label={texts.code}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          placeholder="BCDF-GHJK"
          autoComplete="off"
          maxLength={20}
          required
        />
        <Group>
          <Button type="submit">{texts.submit}</Button>
        </Group>
      </Stack>
    </form>
  )
}

function Decision({ code }: { code: string }) {
  const device = useQuery({
    queryKey: deviceKey(code),
    queryFn: () => platformClient.accounts.deviceLogins.get({ params: { userCode: code } }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return <Loaded query={device}>{(login) => <Question login={login} />}</Loaded>
}

function Question({ login }: { login: DeviceLogin }) {
  const deciding = useMutation({
    mutationFn: (decision: 'approve' | 'refuse') =>
      platformClient.accounts.deviceLogins.decide({ params: { userCode: login.userCode }, body: { decision } }),
  })
  if (deciding.isSuccess) return <Text role="status">{deciding.variables === 'approve' ? texts.approved : texts.refused}</Text>
  return (
    <Stack>
      <FactList
        facts={[
          [texts.codeThere, <strong key="code">{login.userCode}</strong>],
          [texts.address, login.ip],
          [texts.program, login.userAgent || accountsTexts.keys.unnamed],
          [texts.since, <Time key="since" value={login.createdAt} />],
        ]}
      />
      <Alert color="yellow" variant="light">
        {texts.warning}
      </Alert>
      {deciding.error && <ProblemNotice error={deciding.error} />}
      <Group>
        <Button loading={deciding.isPending && deciding.variables === 'approve'} onClick={() => deciding.mutate('approve')}>
          {texts.approve}
        </Button>
        <Button variant="default" loading={deciding.isPending && deciding.variables === 'refuse'} onClick={() => deciding.mutate('refuse')}>
          {texts.refuse}
        </Button>
      </Group>
    </Stack>
  )
}
