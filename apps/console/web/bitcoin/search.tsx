import { Button, Group, Stack, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Problem } from '@trestle/problem/problem'
import { type FormEvent, useReducer } from 'react'
import { useNavigate } from 'react-router'
import { changeField, textField } from '../parts/form.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { bitcoinTexts } from '../texts/bitcoin.js'
import { useBitcoinChain } from './chain.js'
import { findPage } from './search.client.js'
import { type SearchForm, searchTerm } from './search-form.js'

const texts = bitcoinTexts.search

/** Finds a block, transaction or address. */
export function Search() {
  const { api, at } = useBitcoinChain()
  const navigate = useNavigate()
  const [form, dispatch] = useReducer(changeField<SearchForm>, { text: '' })
  const finding = useMutation({
    mutationFn: async () => {
      const term = searchTerm(form)
      if (term) await navigate(at(await findPage(api, term)))
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    finding.mutate()
  }
  const missing = missingOf(finding.error)
  return (
    <Stack component="search" gap="xs" flex="1 1 280px" miw={0}>
      <form onSubmit={submit}>
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <TextInput
            {...textField(form, dispatch, 'text')}
            aria-label={texts.label}
            placeholder={texts.label}
            error={missing}
            flex={1}
            miw={0}
            autoComplete="off"
            spellCheck={false}
          />
          <Button type="submit" loading={finding.isPending} leftSection={<IconSearch size={16} aria-hidden />}>
            {texts.submit}
          </Button>
        </Group>
      </form>
      {finding.error && !missing && <ProblemNotice error={finding.error} />}
    </Stack>
  )
}

/** A term without a result is not a failure: the field shows it. */
function missingOf(error: unknown): string | undefined {
  if (!(error instanceof Problem)) return undefined
  if (error.code === 'InvalidAddress') return texts.unclear(error.detail)
  return texts.missing[error.code]
}
