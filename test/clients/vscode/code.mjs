// code.mjs - VS Code in chromium, with what the test does there: clicks, and what the page says.
import { createRequire } from 'node:module';
const { chromium } = createRequire(process.env.NODE_PATH + '/')('playwright-core');

export async function openCode(address, shots) {
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
    const page = await browser.newPage({ viewport: { width: 1500, height: 1100 } });
    page.setDefaultTimeout(60000);
    const code = new Code(page, shots);
    await page.goto(address);
    await page.waitForSelector('.monaco-workbench');
    return { code, close: () => browser.close() };
}

class Code {
    constructor(page, shots) {
        this.page = page;
        this.shots = shots;
    }
    shot(name) {
        return this.page.screenshot({ path: `${this.shots}/${name}.png` });
    }
    // Waits until `get` gives what passes; gives the last of it either way.
    async until(get, passes) {
        let got;
        for (const end = Date.now() + 120000; Date.now() < end; await this.page.waitForTimeout(50)) {
            got = await get();
            if (passes(got)) break;
        }
        return got;
    }
    async text(locator) {
        return (await locator.allTextContents()).map(t => t.replace(/[\s\u00a0]+/g, ' ').trim());
    }

    // Does something until what it opens is there: a menu or a box closes when what is below it is made anew.
    async opens(what, found) {
        await this.until(async () => {
            await what();
            const there = await found.waitFor({ timeout: 3000 }).then(() => true, () => false);
            if (!there) await this.page.keyboard.press('Escape');
            return there;
        }, there => there);
        await found.waitFor();
    }

    // ---- the moment ----
    async seq() {
        const shown = await this.text(this.page.locator('.statusbar-item', { hasText: /event \d+/ }));
        return shown.length > 0 ? Number(/event (\d+)/.exec(shown[0])[1]) : undefined;
    }
    // Does something, and waits until the session stands somewhere else and shows it.
    async move(what) {
        const before = await this.seq();
        await what();
        return this.until(() => this.seq(), s => s !== undefined && s !== before);
    }
    tool(name) {
        return this.page.locator(`.action-item a.action-label[aria-label^="${name}"]:visible`).first().click();
    }
    // The line that is marked as the one where the session stands.
    line() {
        return this.page.evaluate(() => {
            const top = e => e.getBoundingClientRect().top;
            const mark = document.querySelector('.glyph-margin-widgets [class*=codicon-debug-][class*=stackframe]');
            const numbers = [...document.querySelectorAll('.margin-view-overlays .line-numbers')];
            const here = mark && numbers.find(e => Math.abs(top(e) - top(mark)) < 4);
            return here ? Number(here.textContent) : undefined;
        });
    }

    // ---- the views ----
    // [name, value] of each variable that is shown, or of those at a level: scopes are 1.
    variables(view = '.debug-variables', level) {
        const at = level ? `[aria-level="${level}"]` : '';
        return this.page.$$eval(`${view} .monaco-list-row${at} .expression`, rows => rows.map(r =>
            [r.querySelector('.name'), r.querySelector('.value')].map(e => e ? e.textContent.trim() : '')));
    }
    variable(name) {
        return this.page.locator('.debug-variables .monaco-list-row', { has: this.page.locator('.expression .name',
            { hasText: new RegExp(`^\\s*${name}\\s*=?\\s*$`) }) }).first();
    }
    async expand(name) { // VS Code leaves it open when the session moves
        const open = async () => await this.variable(name).getAttribute('aria-expanded') === 'true';
        await this.until(async () => { // a click while the tree is made anew is lost
            if (!await open()) await this.variable(name).locator('.monaco-tl-twistie').click();
            await this.page.waitForTimeout(200);
            return open();
        }, isOpen => isOpen);
    }
    async menu(row, entry) {
        const found = this.page.locator('.monaco-menu .action-menu-item', { hasText: entry }).first();
        await this.opens(() => row.click({ button: 'right' }), found);
        for (let i = 0; i < 20 && await found.isVisible(); i++) { // a menu takes no click in its first 100 ms
            await found.click({ timeout: 1000 }).catch(() => { });
            await this.page.waitForTimeout(100);
        }
    }
    async stack() {
        return (await this.text(this.page.locator('.debug-call-stack .monaco-list-row .stack-frame .label')))
            .map(t => t.replace(/\(.*/, ''));
    }
    // The rows of one of our own views: [label, description].
    rows(view) {
        return this.page.$$eval(`.pane:has(.pane-header[aria-label^="${view}"]) .monaco-list-row`, rows => rows.map(r =>
            [r.querySelector('.label-name'), r.querySelector('.label-description')]
                .map(e => e ? e.textContent.replace(/[\s\u00a0]+/g, ' ').trim() : '')));
    }
    row(view, text) {
        return this.page.locator(`.pane:has(.pane-header[aria-label^="${view}"]) .monaco-list-row`, { hasText: text })
            .first();
    }
    selected(view) {
        const row = `.pane:has(.pane-header[aria-label^="${view}"]) .monaco-list-row.selected .label-name`;
        return this.page.$$eval(row, rows => rows.map(r => r.textContent.replace(/[\s\u00a0]+/g, ' ').trim()).join());
    }
    async openView(view) {
        const header = this.page.locator(`.pane-header[aria-label^="${view}"]`);
        if (await header.getAttribute('aria-expanded') !== 'true') await header.click();
    }
    async closeView(view) {
        const header = this.page.locator(`.pane-header[aria-label^="${view}"]`);
        if (await header.getAttribute('aria-expanded') === 'true') await header.click();
    }
    async watch(expression) {
        await this.page.locator('.pane-header[aria-label^="Watch"]').hover();
        await this.page.locator('a.action-label[aria-label^="Add Expression"]').click();
        await this.page.locator('.debug-watch input').fill(expression);
        await this.page.keyboard.press('Enter');
    }
    // What stands behind the lines: by their number, a list of texts and their colours.
    lineValues() {
        return this.page.evaluate(() => {
            const numbers = [...document.querySelectorAll('.margin-view-overlays .line-numbers')]
                .map(e => [e.getBoundingClientRect().top, Number(e.textContent)]);
            const found = {};
            for (const line of document.querySelectorAll('.view-lines .view-line'))
                for (const span of line.querySelectorAll('span')) {
                    const { content, color } = getComputedStyle(span, '::after');
                    if (!/^"/.test(content)) continue;
                    const top = line.getBoundingClientRect().top;
                    const [, number] = numbers.find(([y]) => Math.abs(y - top) < 2) ?? [];
                    (found[number] ??= []).push([JSON.parse(content).replace(/\u00a0/g, ' '), color]);
                }
            return found;
        });
    }

    // Clicks on an entry of those above a line.
    async lens(text, line) {
        const find = () => this.page.evaluate(([text, line]) => {
            const top = e => e.getBoundingClientRect().top;
            const number = [...document.querySelectorAll('.margin-view-overlays .line-numbers')]
                .find(e => Number(e.textContent) === line);
            const above = [...document.querySelectorAll('.codelens-decoration')].find(e => {
                const distance = top(number) - top(e);
                return distance > 0 && distance < 30;
            });
            const entry = above && [...above.querySelectorAll('a')].find(a => a.textContent.includes(text));
            const box = entry && entry.getBoundingClientRect();
            return box && [box.x + box.width / 2, box.y + box.height / 2];
        }, [text, line]);
        const at = await this.until(find, found => found !== undefined);
        if (!at) throw new Error(`no "${text}" above line ${line}`);
        await this.page.mouse.click(...at);
    }

    // ---- the editor ----
    async openFile(name) {
        await this.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).dblclick();
        await this.page.waitForSelector('.view-lines .view-line');
    }
    async toggleBreakpoint(line) {
        await this.page.locator('.monaco-editor .view-lines').click();
        await this.page.keyboard.press('Control+g');
        await this.page.locator('.quick-input-box input').fill(`:${line}`);
        await this.page.keyboard.press('Enter');
        await this.page.keyboard.press('F9');
        await this.page.waitForSelector('.codicon-debug-breakpoint, .codicon-debug-breakpoint-unverified');
    }
    async command(name) {
        await this.opens(async () => {
            await this.page.keyboard.press('F1');
            await this.page.locator('.quick-input-box input').fill('>' + name);
        }, this.page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first());
        await this.page.keyboard.press('Enter');
    }
    async answerBox(text) {
        await this.page.locator('.quick-input-box input').fill(text);
        await this.page.keyboard.press('Enter');
    }
}
