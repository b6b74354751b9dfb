import { Box, Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Project } from '@trestle/contracts/eth-rpc/projects'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Copy } from '../../parts/copy.js'
import { ProblemNotice } from '../../parts/problem-notice.js'
import { Snippets } from '../../parts/snippets.js'
import { ethereum } from '../../texts/ethereum.js'
import { useChain } from '../chain.js'
import { curlOf } from '../snippets.js'
import { Answer, Verdict } from './answer.js'
import { type Draft, draftIn, draftOf, paramsIfRight } from './draft.js'
import { Question } from './question.js'
import { ask, type Exchange, requestOf } from './rpc.js'
import { useVisit } from './use-visit.js'
import { Visit } from './visit.js'

const texts = ethereum.playground

export function Bench({ project }: { project: Project }) {
  const { chain } = useChain()
  const [query, setQuery] = useSearchParams()
  const [draft, setDraft] = useState(() => draftIn(query))
  const [isTried, setTried] = useState(false)
  const [shown, setShown] = useState<Exchange>()
  const { exchanges, add } = useVisit(chain)
  const asking = useMutation({
    mutationFn: (params: readonly unknown[]) => ask(chain, project.id, draft.method.name, params),
    onSuccess: (exchange) => {
      setShown(exchange)
      add(exchange)
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    const params = paramsIfRight(draft)
    setTried(params === undefined)
    if (!params) return
    setQuery({ method: draft.method.name, params: JSON.stringify(params) }, { replace: true })
    asking.mutate(params)
  }
  function recall(exchange: Exchange) {
    setDraft(draftOf(exchange.method, [...exchange.params]))
    setShown(exchange)
  }
  return (
    <>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Card withBorder component="section" miw={0}>
          <form onSubmit={submit} noValidate>
            <Stack>
              <Title order={2} size="h4">
                {texts.request}
              </Title>
              <Question draft={draft} onChange={setDraft} isTried={isTried} />
              <Group>
                <Button type="submit" loading={asking.isPending} leftSection={<IconPlayerPlay size={16} aria-hidden />}>
                  {texts.send}
                </Button>
              </Group>
              <Sent draft={draft} project={project} />
            </Stack>
          </form>
        </Card>
        <Outcome exchange={shown} error={asking.error} />
      </SimpleGrid>
      {exchanges.length > 0 && <Visit exchanges={exchanges} onRecall={recall} />}
    </>
  )
}

function Outcome({ exchange, error }: { exchange?: Exchange; error: unknown }) {
  const seen = error ? undefined : exchange
  return (
    <Card withBorder component="section" miw={0} mih={320}>
      <Stack>
        <Title order={2} size="h4">
          {texts.answer}
        </Title>
        <Box aria-live="polite">
          {seen && <Verdict exchange={seen} />}
          {!seen && !error && <Text c="dimmed">{texts.nothingYet}</Text>}
        </Box>
        {error !== null && <ProblemNotice error={error} />}
        {seen && <Answer exchange={seen} />}
      </Stack>
    </Card>
  )
}

/** The request as it goes over the line, and by curl. */
function Sent({ draft, project }: { draft: Draft; project: Project }) {
  const params = paramsIfRight(draft)
  if (!params) return <Text size="sm">{texts.unfinished}</Text>
  const request = requestOf(draft.method.name, params)
  const share = `${location.origin}${location.pathname}?${new URLSearchParams({ method: draft.method.name, params: JSON.stringify(params) })}`
  return (
    <Stack gap="xs">
      <Snippets
        label={texts.request}
        snippets={{ [texts.body]: JSON.stringify(request, undefined, 2), curl: curlOf(project, JSON.stringify(request)) }}
      />
      <Group gap={4}>
        <Text size="sm" c="dimmed">
          {texts.share}
        </Text>
        <Copy value={share} label={texts.copyLink} />
      </Group>
    </Stack>
  )
}
