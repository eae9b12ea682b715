// Package main counts words.
package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
	"strings"
)

const most = 10

type count struct {
	word  string
	times int `json:"times"`
}

type counts []count

func (c counts) Len() int           { return len(c) }
func (c counts) Less(i, j int) bool { return c[i].times > c[j].times }
func (c counts) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }

func words(file *os.File) (map[string]int, error) {
	found := make(map[string]int)
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		for _, word := range strings.Fields(scanner.Text()) {
			found[strings.ToLower(word)]++
		}
	}
	return found, scanner.Err()
}

func main() {
	defer fmt.Println("done")
	found, err := words(os.Stdin)
	if err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
	var all counts
	for word, times := range found {
		all = append(all, count{word, times})
	}
	sort.Sort(all)
	results := make(chan count, most)
	go func() {
		for i, one := range all {
			if i >= most {
				break
			}
			results <- one
		}
		close(results)
	}()
	for one := range results {
		switch {
		case one.times > 100:
			fmt.Printf("%-20s many\n", one.word)
		default:
			fmt.Printf("%-20s %d\n", one.word, one.times)
		}
	}
}
